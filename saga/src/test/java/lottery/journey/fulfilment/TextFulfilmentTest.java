package lottery.journey.fulfilment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import lottery.journey.letter.Post;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The fulfilment that ships with the product")
class TextFulfilmentTest {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withBean(InstantSource.class, InstantSource::system)
            .withBean(Post.class, () -> CompletableFuture::completedFuture)
            .withUserConfiguration(TextFulfilment.class);

    @Test
    @DisplayName("is there unless it is switched off")
    void switchedOff() {
        context.run(running -> assertThat(running).hasSingleBean(TextFulfilment.class));
        for (String off : List.of("lottery.fulfilment.enabled=false", "lottery.fulfilment.text.enabled=false")) {
            context.withPropertyValues(off).run(running -> assertThat(running).doesNotHaveBean(TextFulfilment.class));
        }
    }
}
