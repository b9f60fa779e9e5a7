import { SdkError } from "../jsonrpc/errors.js";

/**
 * Checks an argument that has to be an object with methods, such as a transport.
 * @param remedy what to pass
 * @throws SdkError `INVALID_CONFIGURATION` when it is something else
 */
export function assertMethods(value: unknown, methods: readonly string[], remedy: string): void {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  if (methods.every((name) => typeof given[name] === "function")) return;
  const { constructor: maker = Object } = given as { readonly constructor?: { readonly name: string } };
  const got = typeof value === "object" && value ? maker.name : value === null ? "null" : typeof value;
  throw new SdkError("INVALID_CONFIGURATION", `${remedy}; got ${got}`);
}
