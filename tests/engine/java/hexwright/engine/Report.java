package hexwright.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the harness says: one JSON object per line on standard output.
 *
 * <p>Every object has a {@code type} ({@code ready, command, chat, problem, dialog, note, step,
 * result, error, end}) and {@code n}, the number of the script line it belongs to (0 = opening).
 * VASSAL's own prints go to standard error, so they cannot break a line.
 */
final class Report {
  private static final PrintStream OUT =
    new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  private static final AtomicInteger PROBLEMS = new AtomicInteger();
  private static volatile int line = 0;

  private Report() { }

  static void startLine(int number, String text) {
    line = number;
    say("command", "line", text);
  }

  static synchronized void say(String type, Object... keysAndValues) {
    final Map<String, Object> object = Json.of("type", type, "n", line);
    object.putAll(Json.of(keysAndValues));
    OUT.println(Json.write(object));
  }

  /** Something is wrong with the module, a save, or VASSAL; the run will end with exit code 3. */
  static void problem(String kind, String text) {
    PROBLEMS.incrementAndGet();
    say("problem", "kind", kind, "text", text);
  }

  static int problems() {
    return PROBLEMS.get();
  }

  /** The stack trace of an exception, without the wrappers of reflection and futures. */
  static String trace(Throwable thrown) {
    final StringWriter text = new StringWriter();
    cause(thrown).printStackTrace(new PrintWriter(text));
    return text.toString().lines().limit(14).reduce((a, b) -> a + "\n" + b).orElse("");
  }

  static Throwable cause(Throwable thrown) {
    Throwable t = thrown;
    while ((t instanceof ExecutionException || t instanceof InvocationTargetException)
           && t.getCause() != null) {
      t = t.getCause();
    }
    return t;
  }

  /** Control characters made visible, for texts of saves and logs. */
  static String visible(String text) {
    return text.replace("\u001b", "<ESC>").replace("\t", "<TAB>")
      .replace("\n", "<NL>").replace("\r", "<CR>");
  }
}
