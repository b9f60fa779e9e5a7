import { digestOf } from "../rules/digest.js";
import type { SkillProblem } from "../rules/skill-problem.js";

/** A file as `resources/read` returns it. */
export interface FileContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** What the entry of a skill states about a file. */
export interface ExpectedFile {
  readonly digest: string;
  readonly size: number;
}

/**
 * Returns the bytes of a file, if they are those of its entry (SEP-2640, integrity and verification). A file that is obviously too large
 * is not decoded.
 * @param expected undefined for files of skills whose content is generated
 * @param most the most bytes of a file without `expected`
 */
export async function readContent(
  { uri, text, blob }: FileContent,
  expected: ExpectedFile | undefined,
  most: number,
): Promise<{ readonly bytes: Uint8Array } | { readonly problem: SkillProblem }> {
  const wrongSize = (actual: number): { readonly problem: SkillProblem } => ({
    problem: expected
      ? {
          reason: "size",
          uri,
          expected: expected.size,
          actual,
          message: `${uri} has ${actual} bytes, not ${expected.size}`,
        }
      : { reason: "limit", uri, expected: most, actual, message: `${uri} has ${actual} bytes, more than ${most}` },
  });
  const isWrong = (size: number): boolean => (expected ? size !== expected.size : size > most);
  // UTF-8 has at least one byte per UTF-16 code unit.
  if (text !== undefined && text.length > (expected?.size ?? most)) return wrongSize(text.length);
  if (blob !== undefined && isWrong(decodedLength(blob))) return wrongSize(decodedLength(blob));
  const bytes = text !== undefined ? new TextEncoder().encode(text) : decodeBase64(blob ?? "");
  if (!bytes || (text === undefined && blob === undefined)) {
    const message = `${uri} is neither text nor valid base64`;
    return { problem: { reason: "content", uri, expected: "text or base64", message } };
  }
  if (isWrong(bytes.length)) return wrongSize(bytes.length);
  const actual = expected && (await digestOf(bytes));
  if (!expected || actual === expected.digest) return { bytes };
  const message = `${uri} has the digest ${String(actual)}, not ${expected.digest}`;
  return { problem: { reason: "digest", uri, expected: expected.digest, actual, message } };
}

/** Returns how many bytes standard base64 has. */
function decodedLength(base64: string): number {
  return Math.floor(base64.replace(/={1,2}$/, "").length * 0.75);
}

function decodeBase64(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
