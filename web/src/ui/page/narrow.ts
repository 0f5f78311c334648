// Where panels are sheets over the picture: on phones, upright and lying. As in style/narrow.css.
export const kNarrow = matchMedia('(max-width: 760px), (max-height: 480px)');

export function is_narrow(): boolean {
  return kNarrow.matches;
}
