import type { Readable, Writable } from "node:stream";
import { hosts, type HostId } from "../../shared/hosts/hosts.js";

/** Where to ask. Default: standard input, and standard output. */
export interface QuestionTerminal {
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Asks for one of the hosts on this machine; undefined when the user cancels. */
export async function askHost(found: readonly HostId[], terminal: QuestionTerminal): Promise<HostId | undefined> {
  const { isCancel, select } = await import("@clack/prompts");
  const answer = await select<HostId>({
    ...terminal,
    message: "Which host?",
    options: found.map((value) => ({ value, label: hosts[value].title, hint: value })),
  });
  return isCancel(answer) ? undefined : answer;
}

/** Asks for the value of a variable that the host cannot refer to; undefined when the user cancels. */
export async function askValue(
  host: HostId,
  name: string,
  path: string,
  terminal: QuestionTerminal,
): Promise<string | undefined> {
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({
    ...terminal,
    message: `${hosts[host].title} cannot refer to variables. Value of ${name}, which ${path} will contain in plain text:`,
    validate: (value) => (value === undefined || value === "" ? "A value is required; Ctrl-C cancels." : undefined),
  });
  return isCancel(answer) ? undefined : answer;
}

/** Asks before a file changes. */
export async function askConsent(message: string, terminal: QuestionTerminal): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ ...terminal, message, initialValue: false })) === true;
}
