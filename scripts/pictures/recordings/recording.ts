import type { Texts } from "../drawing/texts.js";

/** A terminal with a command and its output. */
export interface RecordingSource {
  /** The name of the files: `scripts/pictures/recordings/<name>.txt` and `docs/images/terminal-<name>.svg`. */
  readonly name: string;
  /** The command as a user types it. */
  readonly command: string;
  readonly alt: Texts;
}

/** The terminals of the documentation. `run.ts` has what runs for each. */
export const recordings: readonly RecordingSource[] = [
  {
    name: "new",
    command: "npx mcpwright new weather --yes",
    alt: {
      en: "mcpwright new creates a project with six files, and prints the next commands and an entry for hosts",
      zh: "mcpwright new 创建含六个文件的项目，并打印接下来的命令和宿主的配置项",
    },
  },
  {
    name: "inspect",
    command: "npx mcpwright inspect -- npx tsx examples/weather/main.ts",
    alt: {
      en: "mcpwright inspect prints the revision, the transport and the two tools of a weather server",
      zh: "mcpwright inspect 打印天气服务器的协议版本、传输和两个工具",
    },
  },
  {
    name: "dev",
    command: "npx mcpwright dev src/main.ts",
    alt: {
      en: "mcpwright dev runs a server from its source, and restarts it when the file is saved",
      zh: "mcpwright dev 从源代码运行服务器，并在保存文件时重启它",
    },
  },
  {
    name: "diff",
    command: "npx mcpwright diff 2025-11-25 2026-07-28",
    alt: {
      en: "mcpwright diff lists what changed between two revisions, and what it means for receivers, senders and source code",
      zh: "mcpwright diff 列出两个协议版本之间的变化，以及对接收方、发送方和源代码的影响",
    },
  },
];
