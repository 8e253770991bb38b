"""The words of the form that sends requests of an API reference, in the languages of sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestWords:
    """The words in one language; what is in braces is put in."""

    try_it: str
    about: str
    server: str
    use_server: str
    # {server} is the address that the reader has chosen.
    goes_to: str
    other_server: str
    send: str
    sending: str
    response: str
    failed: str
    no_script: str
    user_name: str
    password: str
    token: str
    file: str
    shortened: str
    # {number} of bytes.
    binary: str
    empty: str
    no_cookies: str
    # {title} of the page.
    back: str


TABLES: Mapping[str, RequestWords] = {
    "en": RequestWords(
        "Try it",
        "Nothing is sent before you have chosen a server and sent the request.",
        "Server",
        "Use this server",
        "Your browser sends the request to {server} and to no other server. What you "
        "type is not kept.",
        "Choose another server",
        "Send request",
        "Sending…",
        "Response",
        "No answer could be read. The server cannot be reached, or does not allow "
        "requests from this page (CORS).",
        "Requests can be sent with JavaScript only. The examples of the page work without it.",
        "User name",
        "Password",
        "Token",
        "File",
        "Only the beginning is shown.",
        "{number} bytes that are not text",
        "The answer has no content.",
        "Browsers do not let a page set cookies of another server.",
        "Back to {title}",
    ),
    "de": RequestWords(
        "Ausprobieren",
        "Nichts wird gesendet, bevor Sie einen Server gewählt und die Anfrage abgeschickt haben.",
        "Server",
        "Diesen Server verwenden",
        "Ihr Browser sendet die Anfrage an {server} und an keinen anderen Server. Was "
        "Sie eingeben, wird nicht gespeichert.",
        "Anderen Server wählen",
        "Anfrage senden",
        "Wird gesendet …",
        "Antwort",
        "Es konnte keine Antwort gelesen werden. Der Server ist nicht erreichbar oder "
        "erlaubt keine Anfragen von dieser Seite (CORS).",
        "Anfragen lassen sich nur mit JavaScript senden. Die Beispiele der Seite kommen ohne aus.",
        "Benutzername",
        "Passwort",
        "Token",
        "Datei",
        "Nur der Anfang wird gezeigt.",
        "{number} Bytes, die kein Text sind",
        "Die Antwort hat keinen Inhalt.",
        "Browser lassen eine Seite keine Cookies eines anderen Servers setzen.",
        "Zurück zu {title}",
    ),
    "fr": RequestWords(
        "Essayer",
        "Rien n’est envoyé avant que vous n’ayez choisi un serveur et envoyé la requête.",
        "Serveur",
        "Utiliser ce serveur",
        "Votre navigateur envoie la requête à {server} et à aucun autre serveur. "
        "Votre saisie n’est pas conservée.",
        "Choisir un autre serveur",
        "Envoyer la requête",
        "Envoi…",
        "Réponse",
        "Aucune réponse n’a pu être lue. Le serveur est injoignable ou n’autorise pas "
        "les requêtes de cette page (CORS).",
        "L’envoi de requêtes nécessite JavaScript. Les exemples de la page s’en passent.",
        "Nom d’utilisateur",
        "Mot de passe",
        "Jeton",
        "Fichier",
        "Seul le début est affiché.",
        "{number} octets qui ne sont pas du texte",
        "La réponse n’a pas de contenu.",
        "Les navigateurs ne laissent pas une page définir les cookies d’un autre serveur.",
        "Retour à {title}",
    ),
    "es": RequestWords(
        "Probar",
        "No se envía nada hasta que elija un servidor y envíe la solicitud.",
        "Servidor",
        "Usar este servidor",
        "Su navegador envía la solicitud a {server} y a ningún otro servidor. Lo que "
        "escribe no se guarda.",
        "Elegir otro servidor",
        "Enviar solicitud",
        "Enviando…",
        "Respuesta",
        "No se pudo leer ninguna respuesta. El servidor no está disponible o no "
        "permite solicitudes desde esta página (CORS).",
        "Para enviar solicitudes se necesita JavaScript. Los ejemplos de la página "
        "funcionan sin él.",
        "Nombre de usuario",
        "Contraseña",
        "Token",
        "Archivo",
        "Solo se muestra el comienzo.",
        "{number} bytes que no son texto",
        "La respuesta no tiene contenido.",
        "Los navegadores no permiten que una página establezca cookies de otro servidor.",
        "Volver a {title}",
    ),
    "it": RequestWords(
        "Prova",
        "Non viene inviato nulla prima che tu abbia scelto un server e inviato la richiesta.",
        "Server",
        "Usa questo server",
        "Il browser invia la richiesta a {server} e a nessun altro server. Ciò che "
        "scrivi non viene conservato.",
        "Scegli un altro server",
        "Invia richiesta",
        "Invio in corso…",
        "Risposta",
        "Non è stato possibile leggere una risposta. Il server non è raggiungibile o "
        "non consente richieste da questa pagina (CORS).",
        "Per inviare richieste serve JavaScript. Gli esempi della pagina funzionano senza.",
        "Nome utente",
        "Password",
        "Token",
        "File",
        "È mostrato solo l’inizio.",
        "{number} byte che non sono testo",
        "La risposta non ha contenuto.",
        "I browser non permettono a una pagina di impostare cookie di un altro server.",
        "Torna a {title}",
    ),
    "pt": RequestWords(
        "Experimentar",
        "Nada é enviado antes de você escolher um servidor e enviar a solicitação.",
        "Servidor",
        "Usar este servidor",
        "Seu navegador envia a solicitação para {server} e para nenhum outro "
        "servidor. O que você digita não é guardado.",
        "Escolher outro servidor",
        "Enviar solicitação",
        "Enviando…",
        "Resposta",
        "Nenhuma resposta pôde ser lida. O servidor não está acessível ou não permite "
        "solicitações desta página (CORS).",
        "O envio de solicitações precisa de JavaScript. Os exemplos da página funcionam sem ele.",
        "Nome de usuário",
        "Senha",
        "Token",
        "Arquivo",
        "Só o início é mostrado.",
        "{number} bytes que não são texto",
        "A resposta não tem conteúdo.",
        "Os navegadores não permitem que uma página defina cookies de outro servidor.",
        "Voltar para {title}",
    ),
    "nl": RequestWords(
        "Uitproberen",
        "Er wordt niets verzonden voordat u een server hebt gekozen en het verzoek "
        "hebt verstuurd.",
        "Server",
        "Deze server gebruiken",
        "Uw browser stuurt het verzoek naar {server} en naar geen andere server. Wat "
        "u typt, wordt niet bewaard.",
        "Andere server kiezen",
        "Verzoek versturen",
        "Bezig met versturen…",
        "Antwoord",
        "Er kon geen antwoord worden gelezen. De server is niet bereikbaar of staat "
        "geen verzoeken van deze pagina toe (CORS).",
        "Voor het versturen van verzoeken is JavaScript nodig. De voorbeelden op de "
        "pagina werken zonder.",
        "Gebruikersnaam",
        "Wachtwoord",
        "Token",
        "Bestand",
        "Alleen het begin wordt getoond.",
        "{number} bytes die geen tekst zijn",
        "Het antwoord heeft geen inhoud.",
        "Browsers laten een pagina geen cookies van een andere server instellen.",
        "Terug naar {title}",
    ),
    "pl": RequestWords(
        "Wypróbuj",
        "Nic nie zostanie wysłane, dopóki nie wybierzesz serwera i nie wyślesz żądania.",
        "Serwer",
        "Użyj tego serwera",
        "Przeglądarka wysyła żądanie do {server} i do żadnego innego serwera. Wpisane "
        "dane nie są zapisywane.",
        "Wybierz inny serwer",
        "Wyślij żądanie",
        "Wysyłanie…",
        "Odpowiedź",
        "Nie udało się odczytać odpowiedzi. Serwer jest niedostępny lub nie zezwala "
        "na żądania z tej strony (CORS).",
        "Do wysyłania żądań potrzebny jest JavaScript. Przykłady na stronie działają bez niego.",
        "Nazwa użytkownika",
        "Hasło",
        "Token",
        "Plik",
        "Pokazano tylko początek.",
        "{number} bajtów, które nie są tekstem",
        "Odpowiedź nie ma treści.",
        "Przeglądarki nie pozwalają stronie ustawiać ciasteczek innego serwera.",
        "Wróć do {title}",
    ),
    "ru": RequestWords(
        "Попробовать",
        "Ничего не отправляется, пока вы не выберете сервер и не отправите запрос.",
        "Сервер",
        "Использовать этот сервер",
        "Браузер отправит запрос на {server} и ни на какой другой сервер. Введённое "
        "не сохраняется.",
        "Выбрать другой сервер",
        "Отправить запрос",
        "Отправка…",
        "Ответ",
        "Ответ прочитать не удалось. Сервер недоступен или не разрешает запросы с "
        "этой страницы (CORS).",
        "Для отправки запросов нужен JavaScript. Примеры на странице работают без него.",
        "Имя пользователя",
        "Пароль",
        "Токен",
        "Файл",
        "Показано только начало.",
        "Байтов, не являющихся текстом: {number}",
        "Ответ пуст.",
        "Браузеры не позволяют странице задавать cookie другого сервера.",
        "Назад к «{title}»",
    ),
    "zh": RequestWords(
        "试一试",
        "在您选择服务器并发送请求之前，不会发送任何内容。",
        "服务器",
        "使用此服务器",
        "您的浏览器只会将请求发送到 {server}，不会发送到其他服务器。您输入的内容不会被保存。",
        "选择其他服务器",
        "发送请求",
        "正在发送…",
        "响应",
        "无法读取响应。服务器无法访问，或不允许来自此页面的请求 (CORS)。",
        "发送请求需要 JavaScript。页面上的示例不需要。",
        "用户名",
        "密码",
        "令牌",
        "文件",
        "仅显示开头部分。",
        "{number} 字节的非文本内容",
        "响应没有内容。",
        "浏览器不允许页面设置其他服务器的 Cookie。",
        "返回 {title}",
    ),
    "ja": RequestWords(
        "試す",
        "サーバーを選んでリクエストを送信するまで、何も送信されません。",
        "サーバー",
        "このサーバーを使う",
        "ブラウザーは {server} にのみリクエストを送信します。入力内容は保存されません。",
        "別のサーバーを選ぶ",
        "リクエストを送信",
        "送信中…",
        "レスポンス",
        "レスポンスを読み取れませんでした。サーバーに接続できないか、このページからのリ"
        "クエストが許可されていません (CORS)。",
        "リクエストの送信には JavaScript が必要です。ページの例は JavaScript なしで使えます。",
        "ユーザー名",
        "パスワード",
        "トークン",
        "ファイル",
        "先頭のみ表示しています。",
        "テキストではない {number} バイト",
        "レスポンスは空です。",
        "ブラウザーでは、ページから別のサーバーの Cookie を設定できません。",
        "{title} に戻る",
    ),
    "ko": RequestWords(
        "사용해 보기",
        "서버를 선택하고 요청을 보내기 전에는 아무것도 전송되지 않습니다.",
        "서버",
        "이 서버 사용",
        "브라우저는 {server}에만 요청을 보냅니다. 입력한 내용은 저장되지 않습니다.",
        "다른 서버 선택",
        "요청 보내기",
        "보내는 중…",
        "응답",
        "응답을 읽을 수 없습니다. 서버에 연결할 수 없거나 이 페이지의 요청을 허용하지 "
        "않습니다(CORS).",
        "요청을 보내려면 JavaScript가 필요합니다. 페이지의 예시는 없어도 됩니다.",
        "사용자 이름",
        "비밀번호",
        "토큰",
        "파일",
        "앞부분만 표시됩니다.",
        "텍스트가 아닌 {number}바이트",
        "응답에 내용이 없습니다.",
        "브라우저에서는 페이지가 다른 서버의 쿠키를 설정할 수 없습니다.",
        "{title}(으)로 돌아가기",
    ),
    "no": RequestWords(
        "Prøv",
        "Ingenting sendes før du har valgt en server og sendt forespørselen.",
        "Server",
        "Bruk denne serveren",
        "Nettleseren sender forespørselen til {server} og til ingen annen server. Det "
        "du skriver, lagres ikke.",
        "Velg en annen server",
        "Send forespørsel",
        "Sender…",
        "Svar",
        "Ikke noe svar kunne leses. Serveren kan ikke nås, eller tillater ikke "
        "forespørsler fra denne siden (CORS).",
        "Forespørsler kan bare sendes med JavaScript. Eksemplene på siden virker uten.",
        "Brukernavn",
        "Passord",
        "Token",
        "Fil",
        "Bare begynnelsen vises.",
        "{number} byte som ikke er tekst",
        "Svaret har ikke noe innhold.",
        "Nettlesere lar ikke en side sette informasjonskapsler for en annen server.",
        "Tilbake til {title}",
    ),
}  # fmt: skip
