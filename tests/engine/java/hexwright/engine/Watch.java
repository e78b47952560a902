package hexwright.engine;

import VASSAL.build.GameModule;
import VASSAL.build.module.Chatter;
import VASSAL.tools.ErrorDialog;
import VASSAL.tools.bug.BugHandler;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.AppenderBase;
import java.awt.AWTEvent;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Toolkit;
import java.awt.event.WindowEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.swing.AbstractButton;
import javax.swing.JLabel;
import javax.swing.JOptionPane;
import javax.swing.JTextPane;
import javax.swing.SwingUtilities;
import javax.swing.text.BadLocationException;
import javax.swing.text.JTextComponent;
import org.slf4j.LoggerFactory;

/**
 * Watches every channel on which VASSAL reports trouble: its log from WARN up, its bug reporter,
 * modal dialogs, and the chat lines it writes about bad data.
 */
final class Watch {
  /** How modal dialogs are answered from here on: {@code default} closes them as a problem. */
  static volatile String dialogAnswer = "default";
  /** Dialogs seen since the caller last cleared the list. */
  static final List<String> DIALOGS = java.util.Collections.synchronizedList(new ArrayList<>());

  private static final int FRAMES_SHOWN = 6;
  private static final String[] BAD_CHAT = {
    "bad data in module", "error in module",
  };
  private static int chatRead = 0;

  private Watch() { }

  static void install() {
    watchLog();
    // Instead of the "help us fix this bug" dialog, which would phone home.
    ErrorDialog.addBugHandler(new BugHandler() {
      @Override public boolean accept(Throwable t) {
        return true;
      }

      @Override public void handle(Throwable t) {
        Report.problem("bug", Report.trace(t));
      }
    });
    Toolkit.getDefaultToolkit().addAWTEventListener(event -> {
      if (event.getID() == WindowEvent.WINDOW_OPENED && event.getSource() instanceof Dialog
          && ((Dialog) event.getSource()).isModal()) {
        answer((Dialog) event.getSource());
      }
    }, AWTEvent.WINDOW_EVENT_MASK);
  }

  /** VASSAL says a warning about bad data only once in its life; let it say all again. */
  static void forgetWarnings() throws ReflectiveOperationException {
    ((Set<?>) Inside.field(ErrorDialog.class, "reportedDataWarnings").get(null)).clear();
  }

  private static void watchLog() {
    final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
      @Override protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
          Report.problem("log", event.getLevel() + " " + event.getLoggerName() + " "
            + event.getFormattedMessage() + causes(event.getThrowableProxy()));
        }
      }
    };
    appender.setContext(context);
    appender.start();
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(appender);
  }

  private static String causes(IThrowableProxy first) {
    final StringBuilder text = new StringBuilder();
    for (IThrowableProxy t = first; t != null; t = t.getCause()) {
      text.append("\ncaused by ").append(t.getClassName()).append(": ").append(t.getMessage());
      final StackTraceElementProxy[] frames = t.getStackTraceElementProxyArray();
      for (int i = 0; frames != null && i < Math.min(FRAMES_SHOWN, frames.length); ++i) {
        text.append("\n  ").append(frames[i]);
      }
    }
    return text.toString();
  }

  private static void answer(Dialog dialog) {
    final StringBuilder text = new StringBuilder();
    collectTexts(dialog, text);
    final String shown = dialog.getTitle() + " :: " + text.toString().trim().replaceAll("\\s+", " ");
    DIALOGS.add(shown);
    final String answer = dialogAnswer;
    if ("default".equals(answer)) {
      Report.problem("dialog", shown);
    }
    else {
      Report.say("dialog", "text", shown, "answer", answer);
    }
    SwingUtilities.invokeLater(() -> {
      final JOptionPane pane = find(dialog, JOptionPane.class);
      if (pane != null && "yes".equals(answer)) {
        pane.setValue(option(pane, 0, JOptionPane.YES_OPTION));
      }
      else if (pane != null && "no".equals(answer)) {
        pane.setValue(option(pane, 1, JOptionPane.NO_OPTION));
      }
      dialog.dispose();
    });
  }

  private static Object option(JOptionPane pane, int index, int standard) {
    final Object[] options = pane.getOptions();
    return options == null || options.length <= index ? (Object) standard : options[index];
  }

  private static void collectTexts(Container container, StringBuilder text) {
    for (Component c : container.getComponents()) {
      if (c instanceof JLabel && ((JLabel) c).getText() != null) {
        text.append(((JLabel) c).getText()).append(' ');
      }
      else if (c instanceof JTextComponent) {
        text.append(((JTextComponent) c).getText()).append(' ');
      }
      else if (c instanceof AbstractButton) {
        text.append('[').append(((AbstractButton) c).getText()).append("] ");
      }
      if (c instanceof Container) {
        collectTexts((Container) c, text);
      }
    }
  }

  /** The first component of a class anywhere below a container, or null. */
  static <T> T find(Container container, Class<T> kind) {
    for (Component c : container.getComponents()) {
      if (kind.isInstance(c)) {
        return kind.cast(c);
      }
      if (c instanceof Container) {
        final T found = find((Container) c, kind);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** The chat lines written since the last call; lines about bad data are problems as well. */
  static List<String> newChat() throws Exception {
    final List<String> lines = new ArrayList<>();
    SwingUtilities.invokeAndWait(() -> lines.addAll(readChat()));
    for (String line : lines) {
      Report.say("chat", "text", line);
      final String lower = line.toLowerCase(java.util.Locale.ROOT);
      for (String bad : BAD_CHAT) {
        if (lower.contains(bad)) {
          Report.problem("chat", line);
        }
      }
    }
    return lines;
  }

  private static List<String> readChat() {
    final List<String> lines = new ArrayList<>();
    final GameModule module = GameModule.getGameModule();
    final Chatter chatter = module == null ? null : module.getChatter();
    if (chatter == null) {
      return lines;
    }
    final JTextComponent pane = find(chatter, JTextPane.class);
    try {
      final int length = pane.getDocument().getLength();
      if (length < chatRead) {
        chatRead = 0;      // the chat was cleared
      }
      for (String line : pane.getDocument().getText(chatRead, length - chatRead).split("\n")) {
        if (!line.isBlank()) {
          lines.add(line.strip());
        }
      }
      chatRead = length;
    }
    catch (BadLocationException e) {
      Report.problem("harness", "cannot read the chat: " + e);
    }
    return lines;
  }
}
