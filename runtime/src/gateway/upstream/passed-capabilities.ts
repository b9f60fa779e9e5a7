import type { ClientCapabilities } from "../../authoring.js";

/** What a server behind the gateway may ask for on behalf of a client, and a key that is equal for equal sets. */
export interface PassedCapabilities {
  readonly declared: ClientCapabilities;
  /** The ids of the extensions that the client declares, of those that pass through. */
  readonly extensions: readonly string[];
  /** Whether servers can ask for input. */
  readonly canAsk: boolean;
  readonly key: string;
}

const known = /* @__PURE__ */ new Map<string, PassedCapabilities>();

/** No capabilities: the server cannot ask for anything. */
export const noCapabilities: PassedCapabilities = /* @__PURE__ */ setOf(0, []);

/**
 * Returns the capabilities of a client with which the gateway opens a connection to a server: those with which servers can ask for input.
 * There are few different sets, so that clients cannot make the gateway open any number of connections.
 * @param extensions the ids of the extensions that pass through, if clients declare them
 */
export function passedCapabilities(
  { elicitation, sampling, roots, extensions: given = {} }: ClientCapabilities,
  extensions: readonly string[],
): PassedCapabilities {
  // Before 2025-11-25, forms had no member of their own.
  const hasForm = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const bits = [
    hasForm,
    elicitation?.url !== undefined,
    sampling !== undefined,
    sampling?.tools !== undefined,
    sampling?.context !== undefined,
    roots !== undefined,
    roots?.["listChanged"] === true,
  ];
  const declared = extensions.length === 0 ? extensions : extensions.filter((id) => Object.hasOwn(given, id));
  return setOf(
    bits.reduce((sum, bit, at) => (bit ? sum | (1 << at) : sum), 0),
    declared,
  );
}

function setOf(bits: number, extensions: readonly string[]): PassedCapabilities {
  const key = [bits, ...extensions].join(" ");
  const found = known.get(key);
  if (found) return found;
  const has = (at: number): boolean => (bits & (1 << at)) !== 0;
  const declared: ClientCapabilities = {
    ...((has(0) || has(1)) && { elicitation: { ...(has(0) && { form: {} }), ...(has(1) && { url: {} }) } }),
    ...(has(2) && { sampling: { ...(has(3) && { tools: {} }), ...(has(4) && { context: {} }) } }),
    ...(has(5) && { roots: has(6) ? { listChanged: true } : {} }),
  };
  const made = { declared, extensions, canAsk: bits !== 0, key };
  known.set(key, made);
  return made;
}
