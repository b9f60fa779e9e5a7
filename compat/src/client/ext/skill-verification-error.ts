import { SkillVerificationError as NativeError } from "@mcpwright/runtime/skills/client";
import { SdkError, SdkErrorCode } from "../../shared/errors.js";

/** Why a file of a skill was rejected. */
export type SkillVerificationReason = "unlisted" | "size" | "digest" | "frontmatter";

/** A file of a skill is not the one that its entry describes: do not load it, and with a `SKILL.md` not the skill. */
export class SkillVerificationError extends SdkError {
  override name = "SkillVerificationError";

  constructor(
    readonly reason: SkillVerificationReason,
    readonly uri: string,
    message: string,
    /** With `frontmatter`: a line for each member that differs. */
    readonly differences: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(SdkErrorCode.InvalidResult, message, { reason, uri, differences }, options);
  }
}

/** Words an error of the runtime as the official SDK does. */
export function toOfficialSkillError(error: unknown): unknown {
  if (!(error instanceof NativeError)) return error;
  const { reason, uri, problems, cause, skill } = error;
  const [{ expected, actual, message }] = problems;
  const because = cause === undefined ? undefined : { cause };
  switch (reason) {
    case "unlisted": {
      const file = resolve(uri, skill);
      if (file === undefined) return new SkillVerificationError(reason, uri, `${uri} is not a URI reference`);
      return new SkillVerificationError(reason, file, `${file} is not a file of the skill ${skill}`);
    }
    case "size":
      return new SkillVerificationError(
        reason,
        uri,
        `${uri} is ${String(actual)} bytes; the skill entry lists ${String(expected)}`,
      );
    case "digest":
      return new SkillVerificationError(
        reason,
        uri,
        `${uri} has digest ${String(actual)}; the skill entry lists ${String(expected)}`,
      );
    case "frontmatter": {
      const differences = problems.flatMap(({ field, expected, actual }) =>
        field === undefined
          ? []
          : [`${field || "(frontmatter)"}: the entry has ${shown(expected)}, SKILL.md has ${shown(actual)}`],
      );
      const text =
        differences.length > 0
          ? `the frontmatter of ${uri} differs from the skill entry: ${differences.join("; ")}`
          : `the frontmatter of ${uri} cannot be read: ${cause instanceof Error ? cause.message : message}`;
      return new SkillVerificationError(reason, uri, text, differences, because);
    }
    case "content":
      return new SdkError(SdkErrorCode.InvalidResult, `resources/read returned no contents for ${uri}`);
    default:
      return new TypeError(`${skill} is not a valid skill entry: ${problems.map(({ message }) => message).join("; ")}`);
  }
}

/** Resolves a reference in a skill, without its fragment. */
function resolve(reference: string, skill: string): string | undefined {
  try {
    const url = new URL(reference, skill);
    url.hash = "";
    return url.href;
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  try {
    return JSON.stringify(value);
  } catch {
    return "a value that contains itself";
  }
}
