package lottery.identity;

import java.time.Duration;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** Sends codes as {@code {"phone": …, "code": …}} in a POST request to a system that sends text messages. */
final class HttpPhoneCodeSender implements PhoneCodeSender {

    private static final Duration CONNECT_WAIT_MAX = Duration.ofSeconds(2);
    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(5);

    private final RestClient client;
    private final String url;

    HttpPhoneCodeSender(String url) {
        SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
        requests.setConnectTimeout(CONNECT_WAIT_MAX);
        requests.setReadTimeout(ANSWER_WAIT_MAX);
        this.client = RestClient.builder().requestFactory(requests).build();
        this.url = url;
    }

    @Override
    public void send(String phone, String code) {
        client.post()
                .uri(url)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("phone", phone, "code", code))
                .retrieve()
                .toBodilessEntity();
    }
}
