/** An id of its own for a question that has none. */
export function newId(id: unknown): unknown {
  const { crypto } = globalThis as unknown as { readonly crypto: { randomUUID(): string } };
  return id ?? crypto.randomUUID();
}
