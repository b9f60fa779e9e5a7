import { SdkError } from "../../jsonrpc/errors.js";
import type { AuditRecord, AuditSink } from "./audit-record.js";
import { encode, Redaction, shorten } from "./redaction.js";

export interface AuditOptions {
  /** Whether to write the arguments of requests. Default: `false`. */
  readonly arguments?: boolean;
  /**
   * What to redact in arguments, besides members whose name says that they are secret, such as `token`, `password`, `api_key` or
   * `authorization`, and texts that are recognized as tokens or keys. A string is the name of a member, regardless of case and
   * separators, or a JSON Pointer into the arguments, in which `*` stands for any name or index. A regular expression is tested with
   * names and pointers. Default: `[]`.
   */
  readonly redact?: readonly (string | RegExp)[];
  /** The most characters of a line, 4,096 or more. Default: `8_192`. */
  readonly maxLength?: number;
}

const minLength = 4_096;
/** The most characters of a line without arguments: those of the strings below, and the names of members, numbers and punctuation. */
const headLength = 1_900;

/**
 * Makes a function that writes records to an audit log: one line of JSON each.
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 * @example
 * ```ts
 * const audit = createAuditLog((line) => file.write(`${line}\n`), { arguments: true, redact: ["email", "/customer/*"] });
 * ```
 */
export function createAuditLog(sink: AuditSink, options: AuditOptions = {}): (record: AuditRecord) => void {
  const { redact = [], maxLength = 8_192 } = options;
  if (!(maxLength >= minLength))
    throw new SdkError("INVALID_CONFIGURATION", `maxLength must be ${minLength} or more, not ${maxLength}`);
  for (const rule of redact as readonly unknown[])
    if (!(rule instanceof RegExp) && (typeof rule !== "string" || rule === ""))
      throw new SdkError("INVALID_CONFIGURATION", "redact must contain non-empty strings and regular expressions");
  const redaction = new Redaction(redact);
  return (record) => sink(lineOf(record, options.arguments === true ? redaction : undefined, maxLength));
}

/**
 * The line of a record, without a line break, and not longer than `maxLength`: longer strings are cut. It contains no token, and no
 * characters that people do not see.
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 */
export function auditLine(record: AuditRecord, options?: AuditOptions): string {
  let written = "";
  createAuditLog((line) => (written = line), options)(record);
  return written;
}

function lineOf(record: AuditRecord, redaction: Redaction | undefined, maxLength: number): string {
  const { time, client, server, method, item, durationMs, outcome, bytes, arguments: given } = record;
  const text = (value: string | undefined, most: number): string | undefined =>
    value === undefined ? undefined : shorten(value, most);
  const code = outcome.kind === "error" ? outcome.code : undefined;
  const head = encode({
    time: isoTime(time),
    session: text(client.session, 100),
    issuer: text(client.principal?.issuer, 200),
    subject: text(client.principal?.subject, 200),
    client: text(client.name, 100),
    server: text(server, 100),
    method: text(method, 100),
    item: text(item, 500),
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    outcome: outcome.kind,
    code: typeof code === "string" ? text(code, 100) : code,
    bytes,
  });
  if (!redaction || given === undefined) return head;
  return `${head.slice(0, -1)},"arguments":${redaction.jsonOf(given, maxLength - headLength)}}`;
}

function isoTime(time: number): string | undefined {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : undefined;
}
