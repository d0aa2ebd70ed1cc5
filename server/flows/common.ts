/** Phrases of cookie banners, licences, letters and forms, which count as nobody's. */
export const COMMON_TEXTS = `
We use cookies to give you the best experience on our website. If you continue to browse this site, you agree to our use of cookies. This
website uses cookies to ensure you get the best experience on our website. We and our partners store and/or access information on a device,
such as cookies, and process personal data. By clicking Accept all cookies, you agree to the storing of cookies on your device to enhance
site navigation, analyze site usage, and assist in our marketing efforts. We value your privacy. Manage your cookie preferences. Strictly
necessary cookies. Accept all. Reject all. Manage preferences. Cookie settings. Learn more. Got it!
Wir verwenden Cookies, um Ihnen die bestmögliche Nutzung unserer Website zu ermöglichen. Alle Cookies akzeptieren. Alle ablehnen. Nur
notwendige Cookies. Cookie-Einstellungen. Impressum. Datenschutzerklärung. Allgemeine Geschäftsbedingungen. Mit freundlichen Grüßen
Nous utilisons des cookies pour améliorer votre expérience sur notre site. Tout accepter. Tout refuser. Politique de confidentialité.
Mentions légales. Conditions générales de vente. Utilizamos cookies para mejorar su experiencia en nuestro sitio web. Aceptar todas las
cookies. Rechazar todas. Política de privacidad. Aviso legal. Utilizziamo i cookie per migliorare la tua esperienza sul nostro sito. Accetta
tutti i cookie. Rifiuta tutti. Informativa sulla privacy. Utilizamos cookies para melhorar a sua experiência no nosso site. Aceitar todos.
Wij gebruiken cookies om uw ervaring op onze website te verbeteren. 我们使用 Cookie 来改善您在我们网站上的体验。接受所有 Cookie。隐私政策。服务条款。
このサイトではクッキーを使用しています。すべてのクッキーを受け入れる。プライバシーポリシー。利用規約。
Copyright © All rights reserved. Terms of Service. Terms and Conditions. Privacy Policy. Cookie Policy. Legal notice. About us. Contact us.
Sign in to your account. Please enter your email address and password to sign in to your account. Forgot your password? Remember me on this
device. Don't have an account? Sign up for free. Already have an account? Log in. Continue with Google. Continue with Apple. Continue with
GitHub. Sign in with your email address. Create a new account. Subscribe to our newsletter to receive the latest news, updates and special
offers. Enter your email address to subscribe. You can unsubscribe at any time. Share on Facebook. Share on Twitter. Share on LinkedIn.
Thank you for your order. We will send you a confirmation email shortly. Add to cart. Proceed to checkout. Shipping and handling. Order
summary. Free shipping on orders over. If you did not request this email, please ignore it. This is an automatically generated message, please
do not reply to this email. If you have any questions, please do not hesitate to contact us. Thank you for your understanding. I hope this
email finds you well. I look forward to hearing from you. Thank you in advance for your help. Best regards, Kind regards, Yours sincerely,
This email and any attachments are confidential and intended solely for the use of the individual or entity to whom they are addressed. If you
have received this email in error, please notify the sender immediately and delete it from your system.
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE
OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
January February March April May June July August September October November December
Monday Tuesday Wednesday Thursday Friday Saturday Sunday Last updated on
Januar Februar März April Mai Juni Juli August September Oktober November Dezember Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag
`;
