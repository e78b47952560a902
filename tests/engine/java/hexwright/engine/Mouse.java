package hexwright.engine;

import VASSAL.build.module.Map;
import VASSAL.build.module.map.Zoomer;
import java.awt.AWTException;
import java.awt.Point;
import java.awt.Robot;
import java.awt.event.InputEvent;
import java.awt.event.KeyEvent;
import java.util.ArrayList;
import java.util.List;
import javax.swing.KeyStroke;

/** A real mouse and keyboard, through the X server. */
final class Mouse {
  private static final int PACE_MS = 30;
  private static final int PAUSE_MS = 200;
  private static final int SETTLE_MS = 700;
  private static final int DRAG_MOVES = 20;

  private Mouse() { }

  /** Where a place of a map is on the screen. */
  static Point screen(String place) throws Exception {
    return Edt.call(() -> {
      final Table.Place at = Table.place(place);
      final Point p = at.map.mapToComponent(at.point);
      final Point corner = at.map.getView().getLocationOnScreen();
      return new Point(p.x + corner.x, p.y + corner.y);
    });
  }

  /** Scrolls a map so that a place is in the middle of its window. */
  static void lookAt(Table.Place place) {
    place.map.centerAt(place.point);
  }

  static void zoom(Map map, double factor) {
    map.getComponentsOf(Zoomer.class).iterator().next().setZoomFactor(factor);
  }

  static void drag(String from, String to) throws Exception {
    final Point a = screen(from);
    final Point b = screen(to);
    final Robot robot = robotAt(a);
    robot.mousePress(InputEvent.BUTTON1_DOWN_MASK);
    robot.delay(PAUSE_MS);
    for (int i = 1; i <= DRAG_MOVES; ++i) {
      robot.mouseMove(a.x + (b.x - a.x) * i / DRAG_MOVES, a.y + (b.y - a.y) * i / DRAG_MOVES);
    }
    robot.delay(PAUSE_MS);
    robot.mouseRelease(InputEvent.BUTTON1_DOWN_MASK);
    robot.delay(SETTLE_MS);
    Edt.drain();
  }

  static void click(String place) throws Exception {
    final Robot robot = robotAt(screen(place));
    robot.mousePress(InputEvent.BUTTON1_DOWN_MASK);
    robot.mouseRelease(InputEvent.BUTTON1_DOWN_MASK);
    robot.delay(SETTLE_MS);
    Edt.drain();
  }

  /** Types one key stroke into the focused window. */
  static void type(KeyStroke stroke) throws Exception {
    final Robot robot = new Robot();
    robot.setAutoDelay(PACE_MS);
    final List<Integer> held = new ArrayList<>();
    final int modifiers = stroke.getModifiers();
    if ((modifiers & InputEvent.CTRL_DOWN_MASK) != 0) {
      held.add(KeyEvent.VK_CONTROL);
    }
    if ((modifiers & InputEvent.SHIFT_DOWN_MASK) != 0) {
      held.add(KeyEvent.VK_SHIFT);
    }
    if ((modifiers & InputEvent.ALT_DOWN_MASK) != 0) {
      held.add(KeyEvent.VK_ALT);
    }
    held.forEach(robot::keyPress);
    robot.keyPress(stroke.getKeyCode());
    robot.keyRelease(stroke.getKeyCode());
    held.forEach(robot::keyRelease);
    robot.delay(SETTLE_MS);
    Edt.drain();
  }

  private static Robot robotAt(Point p) throws AWTException {
    final Robot robot = new Robot();
    robot.setAutoDelay(PACE_MS);
    robot.mouseMove(p.x, p.y);
    robot.delay(PAUSE_MS);
    return robot;
  }
}
