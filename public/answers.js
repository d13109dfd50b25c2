// When answers are shown: what is long is built in several tasks, so that the page can be used meanwhile. The work is
// done by the program in markdown.js. Should that stop, answers are plain text, and the page goes on.

const AT_ONCE = 50; // ms of work in a PERIOD that are done while the page waits for it
const PERIOD = 200; // ms
const TASK = 10; // ms of each further task
const LONG = 8_000; // characters; a shorter answer holds nothing up

/**
 * What shows answers, by the program. `mark` is called with its chat before a long answer is shown that was kept, and
 * with nothing when all such are seen.
 */
export function answers(program, mark) {
  const going = []; // The answers that are not shown whole, the last one last: that is looked at.
  const tasks = new MessageChannel(); // Unlike a timer's, its tasks are not put off in a hidden page.
  tasks.port1.onmessage = goOn;
  let stopped;
  let [since, spent] = [-PERIOD, 0];
  return (place) => {
    if (stopped) throw stopped;
    return new Answer(place);
  };

  function Answer(place) {
    const answer = program.renderer(place);
    let given = true;
    this.place = place;
    // Shows what came after all that came before; it is the last where the answer is not `running`.
    this.add = (more, running) => {
      if (stopped) throw stopped;
      if (!running && more.length >= LONG) mark(place.dataset.chat);
      answer.add(more, running);
      if (going.includes(this)) return;
      if (!this.goOn(left())) {
        place.setAttribute("aria-busy", "true");
        going.push(this);
        if (going.length === 1) tasks.port2.postMessage(null);
      } else if (!running) {
        end();
      }
    };
    // Whether all is shown then.
    this.goOn = (time) => {
      if (time <= 0) return false;
      const began = performance.now();
      try {
        return answer.go_on(time);
      } catch (error) {
        throw stop(error);
      } finally {
        spent += performance.now() - began;
      }
    };
    // Nothing more comes. What is not shown yet will be.
    this.free = () => {
      given = false;
      if (!going.includes(this)) this.drop();
    };
    this.drop = () => {
      if (given || stopped) return;
      given = true;
      answer.free();
    };
  }

  // How long may be worked at once.
  function left() {
    const now = performance.now();
    if (now - since >= PERIOD) [since, spent] = [now, 0];
    return AT_ONCE - spent;
  }

  function goOn() {
    const one = going.at(-1);
    if (!one) return;
    try {
      // What has left the page meanwhile is built anew when it comes back.
      if (!one.place.isConnected || one.goOn(TASK)) {
        going.splice(going.indexOf(one), 1);
        one.place.removeAttribute("aria-busy");
        one.drop();
      }
    } catch {
      return; // Said by `stop`.
    }
    if (going.length > 0) tasks.port2.postMessage(null);
    else end();
  }

  // All is built: once it is seen too, nothing is marked any more.
  function end() {
    requestAnimationFrame(() => setTimeout(() => going.length === 0 && mark()));
  }

  // A program that has stopped is not asked again.
  function stop(error) {
    stopped = error;
    console.warn("The program that shows Markdown has stopped. Answers are plain text until the page is loaded anew.", error);
    for (const { place } of going.splice(0)) {
      place.removeAttribute("aria-busy");
      place.dispatchEvent(new Event("sash:plain"));
    }
    mark();
    return error;
  }
}
