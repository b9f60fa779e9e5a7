import type { AskUser } from "./terminal.js";

/** The user who logs in. */
export interface LoginUser {
  /** Prints a line. */
  readonly tell: (line: string) => void;
  /** Asks for the callback URL when no browser could be opened. */
  readonly ask?: AskUser;
}
