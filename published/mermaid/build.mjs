// Copies Mermaid's own minified modules to published/static/mermaid, with the licences of what is
// in them. Nothing is changed but that the layout engine ELK is left out: it is a third of all, and
// its licence (EPL-2.0) asks for more than a notice. Diagrams that name it are laid out by dagre.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const modules = "node_modules", target = "../static/mermaid";
const dist = join(modules, "mermaid", "dist"), chunks = join("chunks", "mermaid.esm.min");
const LEFT_OUT = /^elk-/;

rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, chunks), { recursive: true });
cpSync(join(dist, "mermaid.esm.min.mjs"), join(target, "mermaid.esm.min.mjs"));
for (const name of readdirSync(join(dist, chunks))) {
  if (name.endsWith(".mjs") && !LEFT_OUT.test(name))
    cpSync(join(dist, chunks, name), join(target, chunks, name));
}

const packages = readdirSync(modules).flatMap((name) =>
  name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
);
const notices = [];
for (const name of packages.sort()) {
  const manifest = join(modules, name, "package.json");
  if (name === "elkjs" || name.startsWith(".") || !existsSync(manifest)) continue;
  const { version, license } = JSON.parse(readFileSync(manifest, "utf-8"));
  const files = readdirSync(join(modules, name)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(modules, name, file), "utf-8").trim());
  notices.push([`${name} ${version} (${license})`, ...texts].join("\n\n"));
}
writeFileSync(join(target, "THIRD-PARTY-LICENCES.txt"), notices.join(`\n\n${"-".repeat(72)}\n\n`) + "\n");
