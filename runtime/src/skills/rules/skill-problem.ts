import { SdkError } from "../../jsonrpc/errors.js";

/** What is wrong with a skill. */
export type SkillProblemReason =
  /** The server's entry of the skill lacks a member, or has one of another type. */
  | "entry"
  /** A URI is not one of a `SKILL.md`, or leads out of the skill's directory. */
  | "uri"
  /** The name is not allowed, or not that of the skill's directory. */
  | "name"
  /** The skill has more files or bytes than the client accepts. */
  | "limit"
  /** The skill does not contain the file. */
  | "unlisted"
  /** The response does not contain the file, or not as text or base64. */
  | "content"
  /** The file has another number of bytes than the entry states. */
  | "size"
  /** The file has other bytes than the entry states. */
  | "digest"
  /** The YAML of `SKILL.md` differs from the frontmatter in the entry, or cannot be parsed. */
  | "frontmatter";

/** One thing that is wrong with a skill. */
export interface SkillProblem {
  readonly reason: SkillProblemReason;
  /** The URI of the file, or of the skill. */
  readonly uri: string;
  /** The member of the entry or of the frontmatter, such as `metadata.version`. */
  readonly field?: string;
  /** What the entry states, or the limit. */
  readonly expected?: unknown;
  /** What was found instead. */
  readonly actual?: unknown;
  readonly message: string;
}

const mostInMessage = 5;

/**
 * A skill, or a file of it, is not what its server published. Do not load it (SEP-2640, integrity and verification).
 *
 * A server may have changed the skill since it was listed. `SkillsClient.get` returns its current entry, which the user has to approve
 * again.
 */
export class SkillVerificationError extends SdkError {
  override readonly name = "SkillVerificationError";
  declare readonly data: { readonly skill: string; readonly problems: readonly SkillProblem[] };

  constructor(
    /** The URI of the skill's `SKILL.md`, as the server states it. */
    readonly skill: string,
    readonly problems: readonly [SkillProblem, ...SkillProblem[]],
    options?: ErrorOptions,
  ) {
    const texts = problems.slice(0, mostInMessage).map(({ message }) => message);
    if (problems.length > mostInMessage) texts.push(`and ${problems.length - mostInMessage} more`);
    super(
      "INVALID_RESULT",
      `the skill ${skill || "without a URI"} cannot be used: ${texts.join("; ")}`,
      { skill, problems },
      options,
    );
  }

  /** The reason of the first problem. */
  get reason(): SkillProblemReason {
    return this.problems[0].reason;
  }

  /** The URI of the file with the first problem. */
  get uri(): string {
    return this.problems[0].uri;
  }
}

/** Shows a value in a message. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array with ${value.length} items`;
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : `${value as number}`;
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
