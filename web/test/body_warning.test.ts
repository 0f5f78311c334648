import { expect, test } from 'vitest';
import { fitting_size } from '../src/scene/ground/label_size';
import { mass_warning, mass_words } from '../src/state/edit/body_warning';
import { for_fingers } from '../src/ui/page/hint';

test('a body much heavier or lighter than the one it began as is warned of', () => {
  expect(mass_warning(1900, 72, 'Person')).toMatch(/weighs 1,900 kg, 26 times as much as “Person”/);
  expect(mass_warning(20, 72, 'Person')).toMatch(/weighs 20\.0 kg, only 28% .*light push/);
  for (const usual of [40, 72, 150]) expect(mass_warning(usual, 72, 'Person')).toBe('');
  expect(mass_warning(3, 0, 'nothing')).toBe('');
  expect(mass_words(72.44)).toBe('72.4 kg');
});

test('letters are as large as the widest text allows', () => {
  expect(fitting_size([60, 119, 30], 44, 122)).toBe(44);
  const px = fitting_size([60, 146, 30], 44, 122); // "−10 m" at 44 px
  expect(px).toBeLessThan(44);
  expect((146 * px) / 44).toBeLessThanOrEqual(122);
});

test('the hints of scenes speak of touch to visitors who use fingers', () => {
  expect(for_fingers('Drag somebody to push. Click one and steer with W A S D.')).toBe(
    'Drag somebody to push. Tap one and steer with the round pad.',
  );
});
