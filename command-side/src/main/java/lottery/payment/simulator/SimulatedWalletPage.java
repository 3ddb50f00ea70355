package lottery.payment.simulator;

import java.util.Locale;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedPayment;

/** Draws the wallet of the simulated provider as a page without scripts, in Chinese or English. */
final class SimulatedWalletPage {

    /** The policy allows nothing but the form and the style within the page. */
    static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String FORM = """
            <form method="post">
              <button id="pay">%s</button>
              <details>
                <summary>%s</summary>
                <label>%s <input type="number" name="amount" step="any" min="0.01"></label>
                <label>%s <input type="number" name="times" min="1" max="3"></label>
                <label>%s <input type="number" name="callbacks" min="0" max="50"></label>
                <label>%s <input type="number" name="afterSeconds" min="0" max="3600"></label>
                <label>%s <input type="number" name="silentSeconds" min="0" max="3600"></label>
                <label><input type="checkbox" name="refusesRefunds" value="true"> %s</label>
              </details>
            </form>
            """;

    private SimulatedWalletPage() {}

    static String of(SimulatedPayment payment, boolean isOpen, boolean isPaid, Locale locale) {
        boolean isChinese = locale.getLanguage().equals(Locale.CHINESE.getLanguage());
        String title = isChinese ? "模拟钱包（不使用真实资金）" : "A simulated wallet, without real money";
        return """
            <!doctype html>
            <html lang="%s">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%s</title>
            <style>
              body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 2rem auto; padding: 0 1rem; }
              label { display: block; margin: .6rem 0; }
              input[type=number] { width: 7rem; font: inherit; }
              button { font: inherit; padding: .6rem 2rem; margin: 1rem 0; }
              strong { font-size: 2rem; }
            </style>
            <main>
            <h1>%s</h1>
            <p><strong id="price">%s</strong></p>
            %s
            </main>
            </html>
            """.formatted(
                        isChinese ? "zh-CN" : "en",
                        title,
                        title,
                        payment.price(),
                        isPaid ? done(isChinese) : isOpen ? form(isChinese) : closed(isChinese));
    }

    private static String done(boolean isChinese) {
        return "<p id=\"paid\" role=\"status\">%s</p>"
                .formatted(isChinese ? "已付款，请返回抽奖页面。" : "Paid. Go back to the page of the lottery.");
    }

    private static String closed(boolean isChinese) {
        return "<p id=\"closed\" role=\"status\">%s</p>"
                .formatted(isChinese ? "该支付单已关闭，无法付款。" : "This payment is closed and cannot be paid.");
    }

    private static String form(boolean isChinese) {
        return isChinese
                ? FORM.formatted("付款", "让支付渠道出错", "实付金额", "扣款次数", "每次扣款的通知数", "到账延迟（秒）", "不响应（秒）", "拒绝退款")
                : FORM.formatted(
                        "Pay",
                        "Let the provider misbehave",
                        "Amount instead of the price",
                        "Times the money is taken",
                        "Messages for each",
                        "Seconds until the money is there",
                        "Seconds without any answer",
                        "Refuses refunds");
    }
}
