/** How a transport with statuses responds to a refused request. */
export interface Refusal {
  readonly status: number;
  /** Seconds after which the request may be sent again; undefined if that is not known. */
  readonly retryAfter: number | undefined;
  /** Further headers, such as a challenge. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The key under which the data of an error states that the request was refused, and that nothing of it was carried out. */
// From the global registry, because several entries may contain a copy of this module.
export const REFUSAL: unique symbol = Symbol.for("@mcpwright/runtime refusal") as never;

/** Returns how the error of a response refuses the request; undefined for other responses. */
export function refusalIn(message: object): Refusal | undefined {
  const { error } = message as { readonly error?: { readonly data?: { readonly [REFUSAL]?: Refusal } | null } };
  return error?.data?.[REFUSAL];
}
