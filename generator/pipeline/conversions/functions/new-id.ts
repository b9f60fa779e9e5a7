/** Generates an id for an elicitation without one. */
export function newId(id: unknown): unknown {
  const { crypto } = globalThis as unknown as { readonly crypto: { randomUUID(): string } };
  return id ?? crypto.randomUUID();
}
