/** Something is otherwise than the model says. */
export class ModelMismatch extends Error {
  override readonly name = "Wrong";

  constructor(
    readonly expected: string,
    readonly received: string,
    /** `LOST`: a notification did not come, which a fault may excuse; `WRONG`: nothing excuses it. */
    readonly code: "LOST" | "WRONG" = "WRONG",
  ) {
    super(`expected ${expected}, received ${received}`);
  }
}

/** @throws Wrong */
export function assertSame(received: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(received), JSON.stringify(expected)];
  if (is !== should) throw new ModelMismatch(should, is);
}
