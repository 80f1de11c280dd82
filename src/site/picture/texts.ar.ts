// Arabic: what became of an image that somebody chose.
import type { Texts } from '../texts/en.ts'

export const image: Texts['image'] = {
  states: { waiting: 'قيد الجلب', fetched: 'معروضة', refused: 'لا يمكن عرضها' },
  waiting: 'نجلب الصورة الآن، وتحل محلها صورة مرسومة إلى ذلك الحين.',
  fetched: 'جلبنا الصورة ونعرضها.',
  triedAgain: 'نعيد المحاولة بضع مرات خلال نصف ساعة.',
  reasons: {
    not_https: '{address} ليس عنوان https. أدخل عنوانًا يبدأ بـ \u2066https://\u2069.',
    port: 'في {address} رقم منفذ. أدخل عنوانًا بدونه.',
    no_host: 'في {address} رقم بدل اسم المضيف. أدخل عنوانًا فيه اسم.',
    host_not_found: 'لم نجد مضيف {address}. تحقق من العنوان.',
    not_public: 'مضيف {address} ليس على الإنترنت العام. استخدم مضيفًا يصل إليه الجميع.',
    unreachable: 'تعذر الوصول إلى مضيف {address} عبر https. تحقق من أن الصورة تُفتح في المتصفح.',
    too_slow: 'استغرق مضيف {address} أكثر من 10 ثوانٍ. استخدم مضيفًا أسرع أو صورة أصغر.',
    redirect: 'يحيل {address} إلى عنوان آخر. أدخل عنوان الصورة نفسها.',
    status: 'أجاب {address} بالحالة {status}. تحقق من أن الصورة تُفتح في المتصفح دون تسجيل الدخول.',
    too_many_bytes: 'الصورة في {address} أكبر من 512 كيلوبايت. استخدم صورة أصغر.',
    not_an_image: 'ما في {address} ليس صورة PNG أو JPEG أو WebP. احفظ الصورة بإحدى هذه الصيغ.',
    broken: 'الصورة في {address} تالفة. احفظها من جديد في محرر صور.',
    animated: 'الصورة في {address} متحركة. استخدم صورة ثابتة.',
    too_many_pixels: 'الصورة في {address} أكبر من 1024×1024 بكسل. صغّرها.',
  },
  next: {
    save: 'بعد ذلك احفظ النموذج من جديد أو أدخل عنوانًا آخر.',
    newAddress: 'التطبيق مقبول، فالصورة تحتاج إلى عنوان جديد: اطلب التعديل.',
  },
}
