import { escapeLine } from "../../shared/command/escape-controls.js";
import { colourLines, type LineStyles, plainLines, printServerLine } from "./colour-line.js";
import type { RelayEvent, RelayListener } from "./relay-events.js";

export interface PrintOptions {
  /** The entry as it is shown. */
  readonly entry: string;
  readonly cwd: string;
  readonly hasColours: boolean;
  /** Prints a line to standard error. It must not change it: control characters are escaped already. */
  readonly print: (line: string) => void;
}

/** Prints what happens to the servers. Lines of mcpwright begin with its name, those of a server are as it wrote them. */
export class EventPrinter {
  readonly listener: RelayListener;
  readonly #styles: LineStyles;
  /** Whether standard output was explained, for each connection. */
  readonly #explained = new Set<string>();

  constructor(private readonly options: PrintOptions) {
    this.#styles = options.hasColours ? colourLines : plainLines;
    this.listener = (event) => this.#show(event);
  }

  /** Prints a line of mcpwright itself. */
  say(text: string, style: keyof LineStyles = "faint"): void {
    this.options.print(this.#styles[style](`mcpwright: ${text}`));
  }

  /** Prints the result of a check of types. */
  showTypes(errors: readonly string[], before: number): void {
    if (errors.length > 0) {
      for (const line of errors) this.options.print(printServerLine(line, this.#styles, this.options.cwd));
      this.say("The types have errors; the server runs all the same.", "warning");
    } else if (before > 0) this.say("The types have no errors any more.");
  }

  #show(event: RelayEvent): void {
    const { print, cwd, entry } = this.options;
    // Most runs have one connection.
    const mark = event.connection === "1" ? "" : this.#styles.faint(`[${event.connection}] `);
    const say = (text: string, style?: keyof LineStyles): void => {
      if (event.connection === "1") this.say(text, style);
      else this.say(`[${event.connection}] ${text}`, style);
    };
    switch (event.kind) {
      case "stderr":
        return print(mark + printServerLine(event.line, this.#styles, cwd));
      case "stdout-noise":
        say(`${entry} wrote to standard output: ${escapeLine(event.line)}`, "warning");
        if (!this.#explained.has(event.connection))
          say(
            "Standard output is for messages only, and the host did not get this: use console.error instead.",
            "warning",
          );
        this.#explained.add(event.connection);
        return;
      case "note":
        return say(escapeLine(event.text, 1_000), "warning");
      case "server-started":
        if (event.reason !== undefined) say(`${event.reason}; restarting`);
        return;
      case "server-ready":
        if (event.start > 1) say(`restarted in ${Math.round(event.durationMs)} ms`);
        return;
      case "server-failed": {
        const next = event.startsAtNextRequest ? "The next request starts it again." : "Save a file to start it again.";
        return say(`${escapeLine(event.summary, 1_000)}. ${next}`, "error");
      }
      case "host-connected":
        if (event.connection !== "1") say(`${event.name} connected`);
        return;
      case "host-disconnected":
        if (event.connection !== "1") say("disconnected");
        return;
      case "message":
      case "server-ended":
        return;
    }
  }
}
