import type { MarkdownOptions } from "vitepress";

/** The parser that VitePress configures. */
export type Renderer = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
export type Token = ReturnType<Renderer["parse"]>[number];
