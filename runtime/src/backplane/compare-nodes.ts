import type { SharedServer } from "../http-server/server-backplane.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { ValueStore } from "./backplane-store.js";
import { conflictError } from "./backplane-error.js";
import { parseObject } from "./parse-object.js";
import { untilChanged } from "./until-changed.js";

/** A node that starts so long after the others is not compared with them. */
const ttlMs = 30 * 86_400_000;
/** The most tools that are compared. */
const maxTools = 1_000;

/** What all nodes of a server have in common. */
interface NodeDescription {
  /** The digest of each tool's definition, by its name. */
  readonly tools: Readonly<Record<string, string>>;
  /** The digests of the state keys; the first one encrypts. */
  readonly keys: readonly string[];
}

/**
 * Compares this node with the one of the same server that started before it, and reports differences to `onerror`.
 * @throws BackplaneError
 */
export async function compareNodes(
  values: ValueStore,
  { name, tools, stateKeys, onerror }: SharedServer,
): Promise<void> {
  const own = await describeNode(tools, stateKeys);
  const [key, text] = [`nodes:${name}`, JSON.stringify(own)];
  const before = await untilChanged(
    async () => {
      const stored = await values.get(key);
      const isSet = await values.set(key, text, { ttlMs, ifVersion: stored?.version ?? null });
      return isSet === undefined ? undefined : { text: stored?.text };
    },
    conflictError(`the description of the nodes of ${name}`),
  );
  const earlier = before.text === undefined ? undefined : toDescription(before.text);
  if (!earlier) return;
  for (const difference of [toolDifference(own, earlier), keyDifference(own, earlier)])
    if (difference !== undefined) onerror(new SdkError("INVALID_CONFIGURATION", difference));
}

async function describeNode(
  tools: SharedServer["tools"] = [],
  stateKeys: SharedServer["stateKeys"] = [],
): Promise<NodeDescription> {
  const definitions = [...tools].slice(0, maxTools).map(({ definition }) => definition);
  const digests = definitions.map(async (one) => [one.name, await digest(JSON.stringify(one))] as const);
  const keys = stateKeys.map(({ id, key }) => digest(`${id} ${String(key)}`));
  return { tools: Object.fromEntries(await Promise.all(digests)), keys: await Promise.all(keys) };
}

/** 64 bits of a hash, in hexadecimal: it shows nothing of a random key. */
async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads the description by another node. Other versions may write other members. */
function toDescription(text: string): NodeDescription | undefined {
  const { tools, keys } = parseObject(text) ?? {};
  return typeof tools === "object" && tools !== null && Array.isArray(keys)
    ? { tools: tools as NodeDescription["tools"], keys: keys as NodeDescription["keys"] }
    : undefined;
}

function toolDifference(own: NodeDescription, earlier: NodeDescription): string | undefined {
  const [here, there] = [new Map(Object.entries(own.tools)), new Map(Object.entries(earlier.tools))];
  const names = (kind: string, found: string[]): string[] =>
    found.length > 0 ? [`${kind} ${found.sort().slice(0, 20).join(", ")}`] : [];
  const differences = [
    ...names(
      "only here:",
      [...here.keys()].filter((name) => !there.has(name)),
    ),
    ...names(
      "only there:",
      [...there.keys()].filter((name) => !here.has(name)),
    ),
    ...names(
      "with another definition:",
      [...here].flatMap(([name, hash]) => ((there.get(name) ?? hash) === hash ? [] : [name])),
    ),
  ];
  if (differences.length === 0) return undefined;
  const remedy = "deploy the same version to all nodes; during an update, this is expected";
  return `this node has other tools than the node that started before it (${differences.join("; ")}): ${remedy}`;
}

function keyDifference({ keys: here }: NodeDescription, { keys: there }: NodeDescription): string | undefined {
  const [first = "", other = ""] = [here[0], there[0]];
  // While keys are replaced, each node knows the first key of the other.
  if (first === other || (there.includes(first) && here.includes(other))) return undefined;
  const effect = "nodes cannot open each other's requestState";
  return `stateKeys differ from those of the node that started before this one: ${effect}; pass the same keys to all nodes`;
}
