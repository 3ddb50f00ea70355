package lottery.view.wheel;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;

/** Sends pictures as they are. */
@Component
class Pictures implements HttpMessageConverter<Picture> {

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return type == Picture.class && (mediaType == null || mediaType.includes(MediaType.APPLICATION_JSON));
    }

    @Override
    public List<MediaType> getSupportedMediaTypes() {
        return List.of(MediaType.APPLICATION_JSON);
    }

    @Override
    public List<MediaType> getSupportedMediaTypes(Class<?> type) {
        return type == Picture.class ? getSupportedMediaTypes() : List.of();
    }

    @Override
    public Picture read(Class<? extends Picture> type, HttpInputMessage input) {
        throw new HttpMessageNotReadableException("nobody sends a picture", input);
    }

    @Override
    public void write(Picture picture, @Nullable MediaType mediaType, HttpOutputMessage output) throws IOException {
        output.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        output.getHeaders().setContentLength(picture.json().length);
        output.getBody().write(picture.json());
    }
}
