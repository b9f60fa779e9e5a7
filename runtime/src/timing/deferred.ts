/** A promise together with its `resolve` function. */
export interface Deferred {
  /** Resolves when `resolve` is called. */
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function deferred(): Deferred {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { promise: opened, resolve: open };
}
