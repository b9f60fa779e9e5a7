import type { Readable, Writable } from "node:stream";
import { StdioServerTransport as NativeTransport } from "@mcpwright/runtime/stdio";
import type { Transport } from "../shared/transport.js";

const Base = NativeTransport as unknown as new (
  stdin?: Readable,
  stdout?: Writable,
  options?: { readonly maxMessageBytes: number },
) => Transport;

/** The server's end of standard input and output. */
export class StdioServerTransport extends Base {
  constructor(
    stdin: Readable = process.stdin,
    stdout: Writable = process.stdout,
    options?: {
      /** The longest message, in bytes. Default: that of the runtime. */
      maxBufferSize?: number | undefined;
    },
  ) {
    const { maxBufferSize } = options ?? {};
    super(stdin, stdout, ...(maxBufferSize === undefined ? [] : [{ maxMessageBytes: maxBufferSize }]));
  }
}
