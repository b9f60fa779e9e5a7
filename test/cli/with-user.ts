import { run } from "../../generator/cli/run.js";
import { FormUser } from "../auth-server/form-user.js";
import type { Outcome } from "./command-line.js";

/** Runs a command for a user who opens the printed page in a browser. */
export async function withUser(isTTY: boolean, ...args: readonly string[]): Promise<Outcome> {
  const [out, err] = [[] as string[], [] as string[]];
  const visits: Promise<string>[] = [];
  const write = (text: string): void => {
    err.push(text);
    const page = /^http\S+/.exec(text)?.[0];
    if (page !== undefined) visits.push(new FormUser().visit(page));
  };
  const code = await run(args, { isTTY, write: (text) => out.push(text) }, { isTTY, write });
  await Promise.all(visits);
  return { code, out: out.join(""), err: err.join("") };
}
