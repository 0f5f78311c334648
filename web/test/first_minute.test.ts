import { describe, expect, test } from 'vitest';
import { FirstMinute, type Deed, type Lesson } from '../src/state/show/first_minute';
import { words_of } from '../src/ui/show/first_words';

/** The lesson that is shown after deeds and pauses, s. */
function course(may_push: boolean, ...happens: readonly (Deed | number)[]): Lesson {
  return course_of(may_push, true, ...happens);
}

function course_of(
  may_push: boolean,
  may_show: boolean,
  ...happens: readonly (Deed | number)[]
): Lesson {
  const minute = new FirstMinute(
    () => may_push,
    () => may_show,
  );
  for (const one of happens) {
    if (typeof one === 'number') minute.advance(one);
    else minute.did(one);
  }
  return minute.lesson;
}

describe('the first minute', () => {
  test('waits, shows a push, lets one do it, then the camera, then the scenes', () => {
    expect(course(true, 2)).toBe('wait');
    expect(course(true, 3)).toBe('watch');
    expect(course(true, 3, 4)).toBe('push');
    expect(course(true, 3, 4, 'push')).toBe('pushed');
    expect(course(true, 3, 4, 'push', 5)).toBe('turn');
    expect(course(true, 3, 4, 'push', 5, 'turn')).toBe('turned');
    expect(course(true, 3, 4, 'push', 5, 'turn', 3)).toBe('scenes');
    expect(course(true, 3, 4, 'push', 5, 'turn', 3, 'scene')).toBe('over');
  });

  test('tells nothing that somebody knows already', () => {
    expect(course(true, 'push')).toBe('pushed');
    expect(course(true, 'turn', 2)).toBe('wait'); // is looking around
    expect(course(true, 3, 'turn', 4, 'push', 5)).toBe('scenes');
    expect(course(true, 3, 4, 'push', 'push', 'turn', 5)).toBe('scenes');
  });

  test('is over once anything else is done, or nothing for long', () => {
    for (const before of [[], [3], [3, 4], [3, 4, 'push'], [3, 4, 'push', 5]] as const)
      expect(course(true, ...before, 'other')).toBe('over');
    expect(course(true, 3, 4, 30)).toBe('over');
    expect(course(true, 3, 4, 'push', 5, 30)).toBe('over');
  });

  test('leaves out pushes where one may not push', () => {
    expect(course(false, 3)).toBe('turn');
  });

  test('does not end with “Show me” where one may not begin that', () => {
    expect(course_of(false, false, 3, 'turn', 3)).toBe('over');
    expect(course_of(true, false, 3, 'turn', 4, 'push', 5)).toBe('over');
    expect(course_of(false, true, 3, 'turn', 3)).toBe('scenes');
  });

  test('speaks of fingers where there are fingers, and never at length', () => {
    const lessons = ['watch', 'push', 'pushed', 'turn', 'turned', 'scenes'] as const;
    for (const lesson of lessons)
      for (const fingers of [true, false])
        for (const scenes of [true, false]) {
          const words = words_of(lesson, fingers, fingers, scenes);
          expect(words.length).toBeLessThan(64);
          expect(words).not.toBe('');
          if (fingers) expect(words).not.toMatch(/\b(drag|click|wheel|mouse)\b/i);
        }
  });
});
