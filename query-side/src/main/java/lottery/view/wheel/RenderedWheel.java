package lottery.view.wheel;

import java.util.HexFormat;
import org.springframework.util.DigestUtils;

/**
 * A wheel as JSON, rendered once for all users who see the same wheel.
 *
 * @param tag its ETag, in the same form as in other answers
 */
@SuppressWarnings("ArrayRecordComponent") // The array is neither compared nor changed.
record RenderedWheel(byte[] json, String tag) {

    static RenderedWheel of(byte[] json) {
        return new RenderedWheel(json, "\"0" + HexFormat.of().formatHex(DigestUtils.md5Digest(json)) + '"');
    }
}
