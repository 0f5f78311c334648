/**
 * A message of the server as a sentence of the page: with a capital and a full stop. A first word that is the name of
 * a field or a value, as in `set_style.definition is …`, stays as it is.
 */
export function sentence(message: string): string {
  const text = message.trim();
  const words = /^[a-z]+(?=[ ,;]|$)/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
  return text === '' || /[.!?…]$/.test(text) ? words : `${words}.`;
}

/** "a", "a and b", "a, b and c". @param word before the last */
export function enumerated(parts: readonly string[], word = 'and'): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts[parts.length - 1]}`;
}
