package lottery.view.wheel;

import java.util.HexFormat;
import org.springframework.util.DigestUtils;

/**
 * A wheel that was put into JSON already. Many users see the same one.
 *
 * @param tag the ETag, made as that of an answer which is no picture
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares pictures, and nobody changes one.
record RenderedWheel(byte[] json, String tag) {

    static RenderedWheel of(byte[] json) {
        return new RenderedWheel(json, "\"0" + HexFormat.of().formatHex(DigestUtils.md5Digest(json)) + '"');
    }
}
