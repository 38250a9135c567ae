/** What any Node.js can run: whether this one reads the edited modules. */
const needed = 24;
if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `error: npm run edits needs Node.js ${needed} or newer; this is ${process.versions.node}.\n` +
      `  Run it as "npm run edits", which takes the project's own Node.js, after "npm ci"; or install Node.js ${needed}.\n`,
  );
  process.exitCode = 2;
} else {
  const { runEdits } = await import("./edits/run-edits.ts");
  process.exitCode = await runEdits(process.argv.slice(2));
}
