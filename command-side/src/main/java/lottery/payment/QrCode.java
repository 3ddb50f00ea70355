package lottery.payment;

import com.google.zxing.BarcodeFormat;
import com.google.zxing.EncodeHintType;
import com.google.zxing.WriterException;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.qrcode.QRCodeWriter;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import javax.imageio.ImageIO;

/** Draws a text as a QR code. */
final class QrCode {

    private static final int SIDE_PIXELS = 320;
    private static final int MARGIN_MODULES = 2;

    private static final int BLACK = 0x000000;
    private static final int WHITE = 0xFFFFFF;

    private QrCode() {}

    /** Returns the QR code of a text as a PNG image. */
    static byte[] png(String text) {
        BitMatrix modules = modules(text);
        BufferedImage image =
                new BufferedImage(modules.getWidth(), modules.getHeight(), BufferedImage.TYPE_BYTE_BINARY);
        for (int y = 0; y < modules.getHeight(); y++) {
            for (int x = 0; x < modules.getWidth(); x++) {
                image.setRGB(x, y, modules.get(x, y) ? BLACK : WHITE);
            }
        }
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", png);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return png.toByteArray();
    }

    private static BitMatrix modules(String text) {
        try {
            return new QRCodeWriter()
                    .encode(
                            text,
                            BarcodeFormat.QR_CODE,
                            SIDE_PIXELS,
                            SIDE_PIXELS,
                            Map.of(EncodeHintType.MARGIN, MARGIN_MODULES, EncodeHintType.CHARACTER_SET, "UTF-8"));
        } catch (WriterException tooLong) {
            throw new IllegalArgumentException("the text of a QR code is too long", tooLong);
        }
    }
}
