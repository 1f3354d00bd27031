// A view after changes. What has not changed stays the same object, so that components need not be drawn again.
import type { Step, View, ViewChanges } from './types';

type Holder = unknown[] | Record<string, unknown>;

export function applyChanges<V extends View>(view: V, { set = {}, splice = {} }: ViewChanges): V {
  let changed: unknown = view;
  for (const [path, value] of Object.entries(set)) changed = replaced(changed as Holder, path.split('.'), () => value);
  for (const [path, [first, dropped, items]] of Object.entries(splice))
    changed = replaced(changed as Holder, path.split('.'), (list) =>
      (list as unknown[]).toSpliced(first, dropped, ...items),
    );
  return changed as V;
}

function replaced(holder: Holder, [step = '', ...rest]: string[], change: (old: unknown) => unknown): Holder {
  const copy: Holder = Array.isArray(holder) ? [...holder] : { ...holder };
  const key = step as keyof Holder;
  const old = holder[key];
  copy[key] = (rest.length ? replaced(old as Holder, rest, change) : change(old)) as never;
  return copy;
}

// The position before the first step, and those after every step.
export function viewsOf(start: View, steps: readonly Pick<Step, 'changes'>[]): View[] {
  const views = [start];
  for (const { changes } of steps) views.push(applyChanges(views.at(-1)!, changes));
  return views;
}
