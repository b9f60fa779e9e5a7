/** Something that others wait for. */
export interface Latch {
  /** Resolves once it is open. */
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export function latch(): Latch {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
