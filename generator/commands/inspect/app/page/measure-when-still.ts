import type { AppPlace } from "../page-data.js";

/** Milliseconds without a change of size, after which the app counts as drawn. */
const stillMs = 500;
/** Milliseconds after which an app whose size changes all the time counts as drawn. */
const mostMs = 10_000;

export interface Still {
  /** The place of the app, once it is drawn. Rejects if it cannot be shown. */
  readonly place: Promise<AppPlace>;
  /** The app is ready: from now on its size is watched. */
  readonly begin: () => void;
  readonly fail: (error: unknown) => void;
}

/** Waits until the size of an app does not change any more, or for 10 seconds. */
export function measureWhenStill(container: HTMLElement): Still {
  const { promise: place, resolve, reject } = withResolvers<AppPlace>();
  const measure = (): void => {
    const { x, y, width, height } = container.getBoundingClientRect();
    resolve({ x: x + scrollX, y: y + scrollY, width, height });
  };
  return {
    place,
    begin() {
      setTimeout(measure, mostMs);
      let timer = setTimeout(measure, stillMs);
      new ResizeObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(measure, stillMs);
      }).observe(container);
    },
    fail: reject,
  };
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}
