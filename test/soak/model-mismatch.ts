/** A value differs from the model. */
export class ModelMismatch extends Error {
  override readonly name = "Wrong";

  constructor(
    readonly expected: string,
    readonly received: string,
    /** `LOST`: a notification is missing, which a fault can explain; `WRONG`: no fault can explain it. */
    readonly code: "LOST" | "WRONG" = "WRONG",
  ) {
    super(`expected ${expected}, received ${received}`);
  }
}

/** @throws ModelMismatch if the values differ */
export function assertSame(received: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(received), JSON.stringify(expected)];
  if (is !== should) throw new ModelMismatch(should, is);
}
