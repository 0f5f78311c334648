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
