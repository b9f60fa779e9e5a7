import { readFileSync } from "node:fs";
import { readResults } from "../docs/figures/results.js";
import { benchmarkCharts } from "./charts/benchmarks.js";
import type { ChartSource } from "./charts/chart.js";
import { layOutChart } from "./charts/lay-out-chart.js";
import type { Scene } from "./drawing/scene.js";
import type { FlowSource, SequenceSource } from "./diagrams/diagram.js";
import { askingTheUser } from "./diagrams/asking-the-user.js";
import { authorization } from "./diagrams/authorization.js";
import { layOutFlow } from "./diagrams/lay-out-flow.js";
import { layOutSequence } from "./diagrams/lay-out-sequence.js";
import { messageHandshake } from "./diagrams/message-handshake.js";
import { messageStateless } from "./diagrams/message-stateless.js";
import { pipeline } from "./diagrams/pipeline.js";
import { sessions } from "./diagrams/sessions.js";
import { layOutTerminal } from "./recordings/lay-out-terminal.js";
import { recordingFile } from "./recordings/recording-file.js";
import { recordings, type RecordingSource } from "./recordings/recording.js";
import { printSvg } from "./drawing/print-svg.js";
import { languages, type Language, type Texts } from "./drawing/texts.js";

/** The sources of all diagrams. */
export const diagrams: readonly (FlowSource | SequenceSource)[] = [
  pipeline,
  messageHandshake,
  messageStateless,
  askingTheUser,
  sessions,
  authorization,
];

/** A file in `docs/`. */
export interface PictureFile {
  /** In `docs/`. */
  readonly path: string;
  readonly name: string;
  readonly language: Language;
  /** The alternative text that pages state. */
  readonly alt: string;
  readonly scene: Scene;
  readonly svg: string;
}

const folders: Texts = { en: "images", zh: "zh/images" };
const languageTags: Texts = { en: "en", zh: "zh-Hans" };

function layOut(source: FlowSource | SequenceSource | ChartSource, language: Language): Scene {
  switch (source.kind) {
    case "flow":
      return layOutFlow(source, language);
    case "sequence":
      return layOutSequence(source, language);
    case "chart":
      return layOutChart(source, language);
  }
}

/** Makes all pictures, in each language. */
export function pictureFiles(): readonly PictureFile[] {
  return [...[...diagrams, ...benchmarkCharts(readResults())].flatMap(drawn), ...recordings.flatMap(terminals)];
}

function drawn(source: FlowSource | SequenceSource | ChartSource): readonly PictureFile[] {
  return languages.map((language) => file(source, language, source.description[language], layOut(source, language)));
}

/** A terminal is in English; only its description is translated. */
function terminals({ name, command, alt }: RecordingSource): readonly PictureFile[] {
  const output = readFileSync(recordingFile(name), "utf8");
  const scene = layOutTerminal(command, output);
  const source = { name: `terminal-${name}`, alt };
  return languages.map((language) => file(source, language, `$ ${command}\n${output.trimEnd()}`, scene));
}

function file(
  { name, alt }: { readonly name: string; readonly alt: Texts },
  language: Language,
  text: string,
  scene: Scene,
): PictureFile {
  const svg = printSvg(scene, { language: languageTags[language], title: alt[language], text });
  return { path: `${folders[language]}/${name}.svg`, name, language, alt: alt[language], scene, svg };
}
