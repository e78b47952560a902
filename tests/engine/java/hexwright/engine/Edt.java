package hexwright.engine;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.swing.SwingUtilities;

/** Runs work on Swing's event thread, where VASSAL expects everything to happen. */
final class Edt {
  private static final int PATIENCE_SECONDS = 240;

  private Edt() { }

  static <T> T call(Callable<T> work) throws Exception {
    final CompletableFuture<T> future = new CompletableFuture<>();
    SwingUtilities.invokeLater(() -> {
      try {
        future.complete(work.call());
      }
      catch (Throwable t) {
        future.completeExceptionally(t);
      }
    });
    final T value = future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    drain();
    return value;
  }

  interface Step {
    void run() throws Exception;
  }

  static void run(Step work) throws Exception {
    call(() -> {
      work.run();
      return null;
    });
  }

  /** Lets work that was put off (start-up key commands, chat, repaints) finish. */
  static void drain() throws Exception {
    for (int i = 0; i < 3; ++i) {
      SwingUtilities.invokeAndWait(() -> { });
    }
  }
}
