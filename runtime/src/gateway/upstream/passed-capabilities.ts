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

const form = 1;
const url = 2;
const samples = 4;
const samplingTools = 8;
const samplingContext = 16;
const hasRoots = 32;
const rootsChange = 64;

/** The sets of capabilities by their bits, without extensions and with each list of them. */
const known = /* @__PURE__ */ new Map<string, (PassedCapabilities | undefined)[]>();
const withoutExtensions = /* @__PURE__ */ setsWith([]);

/** No capabilities: the server cannot ask for anything. */
export const noCapabilities: PassedCapabilities = /* @__PURE__ */ setOf(0, [], withoutExtensions);

/**
 * Returns the capabilities of a client with which the gateway opens a connection to a server: those with which servers can ask for input.
 * There are few different sets, so that clients cannot make the gateway open any number of connections.
 * @param extensions the ids of the extensions that pass through, if clients declare them
 */
export function passedCapabilities(
  { elicitation, sampling, roots, extensions: given = {} }: ClientCapabilities,
  extensions: readonly string[],
): PassedCapabilities {
  let bits = 0;
  // Before 2025-11-25, forms had no member of their own.
  if (elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)) bits |= form;
  if (elicitation?.url !== undefined) bits |= url;
  if (sampling !== undefined) bits |= samples;
  if (sampling?.tools !== undefined) bits |= samplingTools;
  if (sampling?.context !== undefined) bits |= samplingContext;
  if (roots !== undefined) bits |= hasRoots;
  if (roots?.["listChanged"] === true) bits |= rootsChange;
  if (extensions.length === 0) return setOf(bits, extensions, withoutExtensions);
  const declared = extensions.filter((id) => Object.hasOwn(given, id));
  return setOf(bits, declared, setsWith(declared));
}

function setsWith(extensions: readonly string[]): (PassedCapabilities | undefined)[] {
  const key = extensions.join(" ");
  let sets = known.get(key);
  if (!sets) known.set(key, (sets = []));
  return sets;
}

function setOf(
  bits: number,
  extensions: readonly string[],
  sets: (PassedCapabilities | undefined)[],
): PassedCapabilities {
  const found = sets[bits];
  if (found) return found;
  const has = (bit: number): boolean => (bits & bit) !== 0;
  const declared: ClientCapabilities = {
    ...(has(form | url) && { elicitation: { ...(has(form) && { form: {} }), ...(has(url) && { url: {} }) } }),
    ...(has(samples) && {
      sampling: { ...(has(samplingTools) && { tools: {} }), ...(has(samplingContext) && { context: {} }) },
    }),
    ...(has(hasRoots) && { roots: has(rootsChange) ? { listChanged: true } : {} }),
  };
  return (sets[bits] = { declared, extensions, canAsk: bits !== 0, key: [bits, ...extensions].join(" ") });
}
