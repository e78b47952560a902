package hexwright.engine;

import VASSAL.build.module.Map;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.Toolkit;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.swing.JFrame;

/** Pictures of VASSAL's window, of the whole screen and of maps, as PNG. */
final class Pictures {
  private static final int SETTLE_MS = 700;

  private Pictures() { }

  /** VASSAL's main window filling the screen, as a player sees it. */
  static java.util.Map<String, Object> window(File file) throws Exception {
    final Rectangle screen = new Rectangle(Toolkit.getDefaultToolkit().getScreenSize());
    Edt.run(() -> {
      final JFrame frame = Table.module().getPlayerWindow();
      frame.setBounds(screen);
      frame.validate();
      frame.toFront();
      frame.repaint();
    });
    return screen(file);
  }

  static java.util.Map<String, Object> screen(File file) throws Exception {
    // Board tiles and counters are painted by background threads.
    Thread.sleep(SETTLE_MS);
    Edt.drain();
    final Rectangle screen = new Rectangle(Toolkit.getDefaultToolkit().getScreenSize());
    return write(new Robot().createScreenCapture(screen), file);
  }

  /** A whole map with its pieces, at a zoom factor. */
  static java.util.Map<String, Object> map(Map map, File file, double zoom) throws Exception {
    return Edt.call(() -> {
      final double before = map.getZoom();
      if (map.getZoomer() != null && zoom != before) {
        map.getZoomer().setZoomFactor(zoom);
      }
      final double scale = map.getZoom();
      final Dimension size = map.mapSize();
      final int width = (int) Math.round(size.width * scale);
      final int height = (int) Math.round(size.height * scale);
      final BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      final Graphics2D g = image.createGraphics();
      map.paintRegion(g, new Rectangle(0, 0, width, height), null);
      g.dispose();
      if (map.getZoomer() != null && scale != before) {
        map.getZoomer().setZoomFactor(before);
      }
      return write(image, file);
    });
  }

  private static java.util.Map<String, Object> write(BufferedImage image, File file) throws IOException {
    ImageIO.write(image, "png", file);
    return Json.of("file", file.getPath(), "width", image.getWidth(), "height", image.getHeight());
  }
}
