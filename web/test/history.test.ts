import { expect, test } from 'vitest';
import { History } from '../src/state/edit/history';

test('changes are undone and redone, gestures as one', () => {
  const history = new History(0);
  expect(history.undo()).toBe(false);
  history.change(1);
  for (const value of [2, 3, 4]) history.change(value, 'drag');
  history.end_gesture();
  for (const value of [5, 6]) history.change(value, 'drag');
  expect(history.undo()).toBe(true);
  expect(history.present.value).toBe(4);
  history.undo();
  expect(history.present.value).toBe(1);
  history.redo();
  expect(history.present.value).toBe(4);
  history.redo();
  expect(history.present.value).toBe(6);
  expect(history.can_redo).toBe(false);
});

test('a change after undo ends what could be redone', () => {
  const history = new History('a');
  history.change('b');
  history.change('c');
  history.undo();
  history.change('d');
  expect(history.can_redo).toBe(false);
  history.undo();
  expect(history.present.value).toBe('b');
});

test('the same value is no change, and a gesture does not go on after undo', () => {
  const history = new History(1);
  history.change(1);
  expect(history.can_undo).toBe(false);
  history.change(2, 'drag');
  history.undo();
  history.change(3, 'drag');
  history.undo();
  expect(history.present.value).toBe(1);
});

test('listeners hear of every change', () => {
  const history = new History(0);
  const heard: number[] = [];
  history.present.watch((value) => heard.push(value));
  history.change(1);
  history.undo();
  expect(heard).toEqual([0, 1, 0]);
});

test('a step beside the value is undone and redone in its turn, and is no change of the value', () => {
  const history = new History('a');
  const made: string[] = [];
  history.change('b', 'drag');
  history.note({ undo: () => made.push('undone'), redo: () => made.push('redone') });
  history.change('c', 'drag'); // not the drag from before the step
  expect(history.undo()).toBe(true);
  expect([history.present.value, made.length]).toEqual(['b', 0]);
  history.rebase((value) => `${value}!`);
  expect(history.undo()).toBe(false);
  expect([history.present.value, ...made]).toEqual(['b!', 'undone']);
  expect(history.undo()).toBe(true);
  expect(history.present.value).toBe('a!');
  history.redo();
  expect(history.redo()).toBe(false);
  expect([history.present.value, ...made]).toEqual(['b!', 'undone', 'redone']);
  history.undo();
  history.note({ undo: () => made.push('other'), redo: () => {} });
  expect(history.can_redo).toBe(false);
  history.undo();
  expect(made.at(-1)).toBe('other');
});
