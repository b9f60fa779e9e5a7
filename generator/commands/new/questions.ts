import type { Readable, Writable } from "node:stream";
import type { SkeletonKind, SkeletonTransport } from "../../shared/skeleton/options.js";
import { packageNameProblem } from "../../shared/skeleton/package-name.js";

/** What the command line has said already. */
export interface GivenChoices {
  readonly kind: SkeletonKind | undefined;
  readonly name: string | undefined;
  readonly transport: SkeletonTransport | undefined;
  readonly legacySse: boolean | undefined;
}

export interface Choices {
  readonly kind: SkeletonKind;
  readonly name: string;
  readonly transport: SkeletonTransport;
  readonly legacySse: boolean;
}

export interface Terminal {
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Thrown when the user has changed their mind. */
export class Cancelled extends Error {}

/**
 * Asks for what the command line did not say.
 * @param suggested a name to begin with
 * @throws Cancelled
 */
export async function askChoices(
  given: GivenChoices,
  suggested: string | undefined,
  terminal: Terminal = {},
): Promise<Choices> {
  const kind = given.kind ?? (given.transport === undefined ? await askKind(terminal) : "server");
  const name = given.name ?? (await askName(suggested, terminal));
  if (kind === "client") return { kind, name, transport: "stdio", legacySse: false };
  const transport = given.transport ?? (await askTransport(terminal));
  const legacySse = given.legacySse ?? (transport === "stdio" ? false : await askLegacySse(terminal));
  return { kind, name, transport, legacySse };
}

async function askKind(terminal: Terminal): Promise<SkeletonKind> {
  const { select } = await import("@clack/prompts");
  const answer = await select<SkeletonKind>({
    ...terminal,
    message: "What do you want to build?",
    options: [
      { value: "server", label: "A server", hint: "tools, resources and prompts for AI applications" },
      { value: "client", label: "A client", hint: "a chat host that uses servers" },
    ],
  });
  return taken(answer);
}

async function askName(suggested: string | undefined, terminal: Terminal): Promise<string> {
  const { text } = await import("@clack/prompts");
  const answer = await text({
    ...terminal,
    message: "What is its package called?",
    ...(suggested !== undefined && { initialValue: suggested }),
    validate: (value = "") => packageNameProblem(value),
  });
  return taken(answer);
}

async function askTransport(terminal: Terminal): Promise<SkeletonTransport> {
  const { select } = await import("@clack/prompts");
  const answer = await select<SkeletonTransport>({
    ...terminal,
    message: "How is it reached?",
    options: [
      { value: "stdio", label: "stdio", hint: "hosts start it on the user's machine" },
      { value: "http", label: "Streamable HTTP", hint: "it runs somewhere and has a URL" },
      { value: "both", label: "Both" },
    ],
  });
  return taken(answer);
}

async function askLegacySse(terminal: Terminal): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  const answer = await confirm({
    ...terminal,
    message: "Are there clients that only know HTTP+SSE of 2024-11-05, which 2025-03-26 replaced?",
    initialValue: false,
  });
  return taken(answer);
}

function taken<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer === "symbol") throw new Cancelled();
  return answer as Exclude<Answer, symbol>;
}
