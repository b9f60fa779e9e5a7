import { type Host, hosts } from "../../shared/hosts/hosts.js";
import type { InstallPlan } from "./install.js";
import type { ListedFile, ListedHost } from "./list-hosts.js";

/** What a plan means for the user, before anything is written. */
export function printPlan({ host, path, name, action, starts, notes, difference }: InstallPlan): string {
  const { title } = hosts[host];
  if (action === "remove") return `${title} will no longer have the server ${name}.\n\n${difference}`;
  const use = starts
    ? `${title} will run this command, with your permissions:\n  ${commandLine(starts)}\n`
    : `${title} will connect to the URL of the server ${name}.\n`;
  return `${use}${notes.map((note) => `  ${note}\n`).join("")}\nin ${path}:\n\n${difference}`;
}

/** What was done. */
export function printDone({ host, path, name, action }: InstallPlan, backup: string | undefined): string {
  const { title, afterwards }: Host = hosts[host];
  const copy = backup === undefined ? "" : `The earlier file is in ${backup}\n`;
  if (action === "remove") return `${name} was removed from ${title}, in ${path}\n${copy}`;
  return `${name} is in ${title}, in ${path}\n${copy}${afterwards}\n`;
}

/** Why there is nothing to do. */
export function printKept({ host, path, name, after }: InstallPlan): string {
  const state = after ? "already has the same entry of" : "has no server";
  return `Nothing to do: ${hosts[host].title} ${state} ${name} in ${path}\n`;
}

/** One line for each file of each host. */
export function printHosts(listed: readonly ListedHost[], name: string | undefined): string {
  const width = Math.max(...listed.map(({ host }) => host.length));
  const line = (host: string, text: string): string => `${host.padEnd(width)}  ${text}\n`;
  return listed
    .map(({ host, found, files }) => {
      const used = files.filter(({ exists }) => exists);
      const texts = used.map((file) => `${stateOf(file, name)}${file.path}`);
      const [first = found ? "found, without a file of servers" : "not found", ...others] = texts;
      return [line(host, first), ...others.map((text) => line("", text))].join("");
    })
    .join("");
}

function stateOf({ installed, problem, scope }: ListedFile, name: string | undefined): string {
  const where = scope === "project" ? "project, " : "";
  if (problem !== undefined) return `${where}cannot be used (${problem}): `;
  if (installed === null || name === undefined) return where;
  return `${where}${installed ? "has" : "no"} ${name}: `;
}

/** A command as one line. */
function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}
