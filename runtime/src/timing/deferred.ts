/** Something that others wait for. */
export interface Deferred {
  /** Resolves once it is open. */
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function deferred(): Deferred {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { promise: opened, resolve: open };
}
