/**
 * A small page, what every format says of it exactly once, and what none says. HTML and nodes repeat a
 * text in names and attributes: they say it at least once.
 */
export type SeenCases = Readonly<Record<string, readonly [string, readonly string[], (readonly string[])?]>>;

/** Classes that clip text for sighted users, as style sheets in use write them. */
export const CLIPS = `<style>
.sr-only{position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap;border:0}
.off{position:absolute;left:-9999px;top:auto}
.vh{clip-path:inset(50%);height:1px;overflow:hidden;position:absolute;white-space:nowrap;width:1px}
.stars{display:inline-block;width:80px;height:16px;background:linear-gradient(90deg,gold 80%,#ddd 80%)}
.dot{display:inline-block;width:8px;height:8px;border-radius:50%;background:green}
</style>`;
