(() => {
    const label = "<LABEL>";
    const read = document.cookie.match(/(?:^|; )pages-read=(\d+)/);
    const number = (read ? Number(read[1]) : 0) + 1;
    document.cookie = `pages-read=${number}; Path=/; Max-Age=2592000; SameSite=Lax`;
    const line = document.createElement('p');
    line.className = 'pages-read';
    line.textContent = `${label}: ${number}`;
    (document.querySelector('footer') ?? document.body).append(line);
})();
